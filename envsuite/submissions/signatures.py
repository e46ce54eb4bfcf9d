"""Ed25519 signatures (RFC 8032) over ``SHA256SUMS``: who submitted, and that nothing was changed since."""

import base64
import binascii
import os
import re
from pathlib import Path

from envsuite.core.files import write_atomic
from envsuite.submissions.intake import SIGNATURE, SUMS, Intake
from envsuite.submissions.refusal import RefusedError

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_PURPOSE = b"envsuite submission v1\n"  # a signature made for something else is none for a submission


def _library():
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ModuleNotFoundError as error:
        message = 'cryptography is not installed: pip install "envsuite[leaderboard]"'
        raise ModuleNotFoundError(message, name="cryptography") from error
    return serialization, ed25519


def make_key(key_id: str, private: str | Path, public_folder: str | Path) -> Path:
    """Make a pair of keys.

    Args:
        key_id: of lower-case letters, digits and hyphens.
        private: where the private key goes; readable by its owner only.
        public_folder: where ``<key_id>.pub`` goes.

    Returns:
        Path of the public key.

    Raises:
        ValueError: another form of id, or a file is there already.
    """
    serialization, ed25519 = _library()
    private, public = Path(private), Path(public_folder) / f"{_checked(key_id)}.pub"
    for path in (private, public):
        if path.exists():
            raise ValueError(f"{path} exists already; keys are not overwritten")
    key = ed25519.Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    private.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)
    public.parent.mkdir(parents=True, exist_ok=True)
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    write_atomic(public, key.public_key().public_bytes(serialization.Encoding.PEM, form))
    return public


def sign(folder: str | Path, key_id: str, private: str | Path) -> Path:
    """Sign a submission.

    Args:
        folder: of the submission.
        key_id: of the key, under which its public half is known.
        private: path of the private key.

    Returns:
        Path of ``submission.sig``.

    Raises:
        ValueError: the key is none of Ed25519, or the folder no submission.
    """
    serialization, ed25519 = _library()
    try:
        key = serialization.load_pem_private_key(Path(private).read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{private} is no private key: {error}") from error
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise ValueError(f"{private} is no Ed25519 key")
    sums = Path(folder) / SUMS
    if not sums.is_file():
        raise ValueError(f"{folder} is no submission: {SUMS} is missing")
    signature = base64.b64encode(key.sign(_PURPOSE + sums.read_bytes())).decode()
    path = Path(folder) / SIGNATURE
    write_atomic(path, f"{_checked(key_id)} {signature}\n")
    return path


def check_signature(intake: Intake, keys: str | Path) -> str:
    """Check the signature of a submission that has one.

    Args:
        intake: its files.
        keys: folder of public keys.

    Returns:
        Id of the key; empty without a signature.

    Raises:
        RefusedError: the key is unknown, or the signature is not its.
    """
    path = intake.root / SIGNATURE
    if not path.is_file():
        return ""
    serialization, ed25519 = _library()
    from cryptography.exceptions import InvalidSignature

    parts = path.read_text(encoding="utf-8").split()
    if len(parts) != 2 or not _ID.fullmatch(parts[0]):
        raise RefusedError("signature", f"{SIGNATURE} does not consist of a key's id and a signature")
    public = Path(keys) / f"{parts[0]}.pub"
    if not public.is_file():
        raise RefusedError("signature", f"the key {parts[0]!r} is unknown: {public.name} is not among the public keys")
    try:
        key = serialization.load_pem_public_key(public.read_bytes())
        signature = base64.b64decode(parts[1], validate=True)
        assert isinstance(key, ed25519.Ed25519PublicKey)
        key.verify(signature, _PURPOSE + (intake.root / SUMS).read_bytes())
    except (InvalidSignature, ValueError, AssertionError, binascii.Error) as error:
        raise RefusedError("signature", f"the signature is not one of {parts[0]!r} for these files") from error
    for other in sorted(Path(keys).glob("*.pub")):  # tries are counted by key
        if other != public and serialization.load_pem_public_key(other.read_bytes()) == key:
            raise RefusedError("signature", f"the key {parts[0]!r} is also {other.stem!r}: a key has one id")
    return parts[0]


def _checked(key_id: str) -> str:
    if not _ID.fullmatch(key_id):
        raise ValueError(f"the key's id is {key_id!r:.80}, expected lower-case letters, digits and hyphens")
    return key_id
