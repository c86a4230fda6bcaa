"""Evaluates expressions with the real Jinja2, for guards_jinja2_test.

Reads lines of JSON {"expression": text, "context": {...}} on standard input and writes one line for
each on standard output: the value in the notation of `notation`, or "syntax error", or "error".
"""

import json
import resource
import struct
import sys

try:
    import jinja2
except ImportError:
    sys.stderr.write("python3-jinja2 is missing: apt-get install python3-jinja2\n")
    sys.exit(3)


def notation(value):
    """A text that is equal for equal values of equal types, without any loss."""
    if isinstance(value, jinja2.Undefined):
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return "int %d" % value
    if isinstance(value, float):
        return "nan" if value != value else "float " + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "str " + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, list):
        return "[" + ", ".join(notation(item) for item in value) + "]"
    if isinstance(value, dict):
        members = (notation(key) + ": " + notation(member) for key, member in value.items())
        return "{" + ", ".join(members) + "}"
    return "other " + type(value).__name__


def evaluated(environment, expression, context):
    try:
        compiled = environment.compile_expression(expression, undefined_to_none=False)
    except jinja2.TemplateSyntaxError:
        return "syntax error"
    try:
        return notation(compiled(context))
    except Exception:  # Whatever Jinja2 raises is one outcome: the expression has no value.
        return "error"


def main():
    # A repeated string may ask for more memory than the machine has; that is an error like others.
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    environment = jinja2.Environment(undefined=jinja2.ChainableUndefined, cache_size=0)
    for line in sys.stdin:
        case = json.loads(line)
        print(evaluated(environment, case["expression"], case["context"]))


main()
