"""Submissions to the leaderboard: packing, validation, replay, hidden seeds, signatures.

Everything in a submission is data of strangers: it is read by strict parsers with limits, never unpickled, imported or
executed. The modules, in the order in which a submission meets them: `build` packs one, `intake` takes it in,
`reported`, `replayed` and `rerun` check it at levels 0, 1 and 2, `verify` does all of that and writes a
`record.Verification`.
"""
