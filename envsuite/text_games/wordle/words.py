"""The words: 431 common English ones of five letters, chosen for this world."""

_TEXT = """
about above actor adult after again agent agree ahead alarm album alive allow alone along among angel anger angle
angry apart apple apply argue arise audio avoid awake award aware bacon baker basic beach beard beast began begin
being below berry birth black blade blame blank blast blaze bless blind block blood board boast bonus boost bound
brain brake brand brave bread break brick brief bring broad brook brown brush build built bunch cabin cable camel
candy carry catch cause chain chair charm chart chase cheap check cheer chief child chill claim class clean clear
click cliff climb clock close cloth cloud clown coast couch count court cover crack craft crane crash cream cross
crowd crown cycle daily dairy dance delay depth diary dirty doubt dozen drama dream dress drift drill drink drive
eager eagle early earth eight elbow empty enemy enjoy enter equal error event every exact exist extra fairy faith
false fancy favor fever field fifty fight final first flame flash float flood floor flour focus force forty found
frame fresh front fruit funny giant given glass globe glory going grace grade grain grand grant grape grass grave
great green greet group guard guess guest guide habit happy heart heavy hello hobby honey horse hotel house human
humor image index inner joint juice knock known label labor large laser later laugh learn lemon level light limit
local lower loyal lucky magic major maker march match mayor metal meter might minor model money month motor mouse
mouth movie music never night noble noise north novel nurse ocean offer often olive onion order other outer owner
paint paper party patch peace phone photo piano piece place plain plane plant plate point power press price pride
proof proud queen quick quiet radio raise range rapid reach ready relax reply rider right river robin robot rough
round royal salad sauce scale scene score sense seven shade shake shape share sharp sheep sheet shelf shell shift
shine shirt shock shoot shore short shout shown sight silly since sixth skill sleep slice slide small smart smell
smile smoke snake solid solve sorry sound south space spare speak speed spend spoon sport stage stair stand start
state steam steel stick still stone store storm story study sugar sunny sweet table taste teach thank their there
thick thing think third those three throw tiger title toast today tooth total touch tower track trade train treat
trial truck trust truth twice uncle under until upper usual value video visit voice waste watch water wheel where
which while white whole woman world worry worth would write wrong young youth
"""

WORDS = tuple(_TEXT.split())
"""In the order of their actions."""
