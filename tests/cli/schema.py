"""Checks that a JSON document is valid under a schema:  schema.py SCHEMA < DOCUMENT

Knows the keywords of JSON Schema that docs/probe.schema.json uses, and fails on any other, so that
none is passed over in silence.
"""

import json
import re
import sys

ANNOTATIONS = {"$schema", "$defs", "title", "description"}

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "null": lambda v: v is None,
}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def problems(value, schema, root, path="$"):
    """Yields what is wrong with a value."""
    for keyword, rule in schema.items():
        if keyword in ANNOTATIONS:
            pass
        elif keyword == "$ref":
            target = root
            for part in rule.removeprefix("#/").split("/"):
                target = target[part]
            yield from problems(value, target, root, path)
        elif keyword == "oneOf":
            results = [list(problems(value, option, root, path)) for option in rule]
            if sum(not found for found in results) != 1:
                yield f"{path}: not exactly one of the forms: {results}"
        elif keyword == "type":
            names = rule if isinstance(rule, list) else [rule]
            if not any(TYPES[name](value) for name in names):
                yield f"{path}: {value!r} is not of type {rule}"
        elif keyword == "minimum":
            if is_number(value) and value < rule:
                yield f"{path}: {value} is below {rule}"
        elif keyword == "maximum":
            if is_number(value) and value > rule:
                yield f"{path}: {value} is above {rule}"
        elif keyword == "pattern":
            if isinstance(value, str) and not re.search(rule, value):
                yield f"{path}: {value!r} does not match {rule}"
        elif keyword == "items":
            for i, item in enumerate(value if isinstance(value, list) else []):
                yield from problems(item, rule, root, f"{path}[{i}]")
        elif keyword == "minItems":
            if isinstance(value, list) and len(value) < rule:
                yield f"{path}: fewer than {rule} items"
        elif keyword == "maxItems":
            if isinstance(value, list) and len(value) > rule:
                yield f"{path}: more than {rule} items"
        elif keyword == "required":
            for name in rule if isinstance(value, dict) else []:
                if name not in value:
                    yield f"{path}: {name} is missing"
        elif keyword == "properties":
            for name, member in value.items() if isinstance(value, dict) else []:
                if name in rule:
                    yield from problems(member, rule[name], root, f"{path}.{name}")
        elif keyword == "additionalProperties":
            for name, member in value.items() if isinstance(value, dict) else []:
                if name in schema.get("properties", {}):
                    continue
                if rule is False:
                    yield f"{path}: {name} is not in the schema"
                else:
                    yield from problems(member, rule, root, f"{path}.{name}")
        else:
            yield f"schema: the keyword {keyword} is not known to schema.py"


def reject_constant(name):
    raise ValueError(f"{name} is not JSON")


def unique_members(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError(f"a member is there twice: {names}")
    return dict(pairs)


def check(document, schema_file):
    """Returns what is wrong with a document."""
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    return list(problems(document, schema, schema))


def main():
    document = json.loads(
        sys.stdin.buffer.read().decode("utf-8", errors="strict"),
        parse_constant=reject_constant,
        object_pairs_hook=unique_members,
    )
    found = check(document, sys.argv[1])
    print("\n".join(found) if found else "valid")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
