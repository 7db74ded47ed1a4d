# Prints this Python and, if it has the package executorch, its folder and version, and whether torch is there. Imports neither.
import importlib.util
import os
import re
import sys

del sys.path[0]  # the folder of this file
print(sys.executable)
spec = importlib.util.find_spec("executorch")
for folder in list(spec.submodule_search_locations or []) if spec else []:
    path = os.path.join(folder, "version.py")
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            version = re.search(r'__version__ = "([^"+]*)', file.read())
        print(folder)
        print(version.group(1) if version else "unknown")
        print("torch" if importlib.util.find_spec("torch") else "")
        break
