// The tables of the binding for Node, as tables.cpp prints those of the C library.
'use strict';
const mtlcap = require('mtlcap');

for (const [name, number] of Object.entries(mtlcap.STATUSES)) console.log(`status ${name} ${number}`);
for (const [name, { status }] of Object.entries(mtlcap)) {
  if (status !== undefined) console.log(`error ${status} ${name}`);
}
for (const c of mtlcap.capabilities()) {
  console.log(`capability ${c.key} ${c.selector} ${c.kind} ${c.unit} ${+c.canLower} ${+c.canRaise} ${c.hazard}`);
}
for (const p of mtlcap.profiles()) console.log(`profile ${p.name} ${p.rules}`);
for (const h of mtlcap.hazards()) console.log(`hazard ${h.name} ${+h.refuses} ${h.when}`);
console.log(`version ${mtlcap.version()}`);
