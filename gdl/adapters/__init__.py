"""gdl for programs: the names that `import gdl` offers beside loading. Modules that wings bring for programs are found
below this name too, as `gdl.adapters.gymnasium`."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class WingModules(MetaPathFinder, Loader):
    """Finds the modules of wings by their names below this package; each is the wing's module itself."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        home, _, last = name.rpartition(".")
        if home != __name__:
            return None
        from gdl import wings
        from gdl.errors import Refusal

        try:
            module = wings.find_row("modules", last)
        except Refusal as missing:
            raise ModuleNotFoundError(str(missing), name=name) from None
        return None if module is None else ModuleSpec(name, self, origin=module)

    def create_module(self, spec: ModuleSpec) -> None:
        return None  # a new one, which the wing's then replaces

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        sys.modules[module.__name__] = import_module(str(module.__spec__.origin))


sys.meta_path.append(WingModules())  # asked where no file of this package has the name
