"""Makes types with pydantic, prints their JSON Schemas of both modes, and validates values with them.

stdin: [{"code": ..., "probes": [...]}]; stdout: [{"input": ..., "output": ..., "accepted": [...]} or {"error": ...}].
"""

import json
import sys
import types
import warnings

from pydantic import TypeAdapter, ValidationError

warnings.simplefilter("ignore")


def judge(index, code, probes):
    # A module of its own, so that forward references find their names.
    module = types.ModuleType(f"case{index}")
    sys.modules[module.__name__] = module
    exec(compile(code, module.__name__, "exec"), module.__dict__)
    adapter = TypeAdapter(module.T)

    def accepts(probe):
        try:
            adapter.validate_json(json.dumps(probe))
            return True
        except ValidationError:
            return False

    return {
        "input": adapter.json_schema(mode="validation"),
        "output": adapter.json_schema(mode="serialization"),
        "accepted": [accepts(probe) for probe in probes],
    }


def answer(index, case):
    try:
        return judge(index, case["code"], case["probes"])
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


json.dump([answer(index, case) for index, case in enumerate(json.load(sys.stdin))], sys.stdout)
