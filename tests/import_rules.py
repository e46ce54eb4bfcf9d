"""The contract type behind the import rules in pyproject.toml, for import-linter."""

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

ROOT = "envsuite"


class OnlyImports(Contract):
    """A subpackage may import itself, the standard library, and what is listed; the rest is refused.

    Options (names of subpackages or modules directly below the root, without the root's name):
        modules: where the rule holds; `*` stands for all of them, which covers families to come.
        besides: what `*` leaves out.
        envsuite: the names that may be imported; the root's own name stands for the root itself.
        external: the distributions that may be imported; without it, any may.
    """

    type_name = "only"

    modules = fields.ListField(subfield=fields.StringField())
    envsuite = fields.ListField(subfield=fields.StringField())
    external = fields.ListField(subfield=fields.StringField(), required=False)
    besides = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        below_root = {name.rpartition(".")[2] for name in graph.find_children(ROOT)}
        chosen = below_root - set(self.besides or []) if "*" in self.modules else self.modules
        broken = [
            f"{importer} -> {imported}"
            for top in sorted(below_root.intersection(chosen))
            for importer in sorted({f"{ROOT}.{top}"} | graph.find_descendants(f"{ROOT}.{top}"))
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self._allowed(top, imported)
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def _allowed(self, top: str, imported: str) -> bool:
        package, _, rest = imported.partition(".")
        if package == ROOT:
            return (rest.partition(".")[0] or ROOT) in {top, *self.envsuite}
        return self.external is None or package in self.external or package in sys.stdlib_module_names

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["broken"]:
            output.print_error(line)
