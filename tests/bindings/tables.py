"""The tables of the Python package, as tables.cpp prints those of the C library."""

import mtlcap
from mtlcap import errors

for name, number in mtlcap.STATUSES.items():
    print("status", name, number)
for name, number in mtlcap.STATUSES.items():
    if number:
        print("error", number, errors.error_class(number).__name__)
for c in mtlcap.capabilities():
    print("capability", c.key, c.selector, c.kind, c.unit, int(c.can_lower), int(c.can_raise), c.hazard)
for p in mtlcap.profiles():
    print("profile", p.name, p.rules)
for h in mtlcap.hazards():
    print("hazard", h.name, int(h.refuses), h.when)
print("version", mtlcap.version())
