"""JSON as CONTRACT.md wants it: numbers kept digit for digit, and nothing taken that two readers could read in two ways."""

import decimal
import json
import re
import sys

sys.set_int_max_str_digits(0)
MOST_LEVELS = 100


class NoJson(Exception):
    """The bytes are not JSON that a server may take: 400."""


class Number(decimal.Decimal):
    """A number with a fraction or an exponent, shown as it was written."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number


def _pairs(pairs):
    members = {}
    for key, value in pairs:
        if key in members:
            raise NoJson(f"the key {key!r} comes twice")
        members[key] = value
    return members


def _no_constant(word):
    raise NoJson(f"{word} is not JSON")


def parse(content):
    try:
        text = content.decode("utf-8")
        levels = _levels(text)
        if levels > 5 * MOST_LEVELS:
            return TooDeep
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant, parse_float=Number)
        if SURROGATE.search(text):
            dump(value).encode("utf-8")  # a lone surrogate has no UTF-8
    except (ValueError, RecursionError, decimal.InvalidOperation) as error:
        raise NoJson(str(error)) from error
    return TooDeep if levels > MOST_LEVELS else value


class TooDeep:
    """What stands for a value of more levels than are taken."""


STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
BRACKET = re.compile(r"[\[\]{}]")
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _levels(text):
    deepest = level = 0
    for bracket in BRACKET.findall(STRING.sub("", text)):
        level += 1 if bracket in "[{" else -1
        deepest = max(deepest, level)
    return deepest


def dump(value):
    """Compact JSON; what is not ASCII stays as it is."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dump(key)}:{dump(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    if isinstance(value, Number):
        return value.text
    return json.dumps(value, ensure_ascii=False)


def same(left, right):
    """Equality of JSON values: the order of keys and 1 and 1.0 make no difference, true and 1 are."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def whole(value):
    """The value as a whole number, None where it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, Number) and value == value.to_integral_value():
        return int(value)
    return None
