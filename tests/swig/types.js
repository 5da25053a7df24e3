// types.js FOLDER: index.d.ts names what the module exports, and the properties that its objects have.
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const folder = process.argv[2];
const mtlcap = require(folder);
const text = fs.readFileSync(path.join(folder, 'index.d.ts'), 'utf8');

const sorted = (names) => [...new Set(names)].sort();
const found = (pattern, from = text) => sorted([...from.matchAll(pattern)].map((match) => match[1]));

assert.deepEqual(found(/^export (?:function|const|class) (\w+)/gm), sorted(Object.keys(mtlcap)));

function members(name) {
  const [, body] = text.match(new RegExp(`^export (?:interface|class) ${name}\\b.*?\\{\\n(.*?)^\\}`, 'ms'));
  return found(/^ {2}(?:readonly )?(\w+)[?(:]/gm, body).filter((it) => it !== 'constructor');
}

mtlcap.apply('lume', { allow: ['beyond-hardware', 'threadgroup-memory'] });
const report = mtlcap.report();
const objects = {
  Answer: mtlcap.query('apple'), Capability: mtlcap.capabilities()[0], Change: report.changes[0],
  Check: mtlcap.check('apple>=7'),
  Device: mtlcap.devices()[0], Explanation: mtlcap.explain('auto'), Finding: report.findings[0],
  Hazard: mtlcap.hazards()[0], Machine: mtlcap.machine(), Profile: mtlcap.profiles()[0], Report: report,
  MtlcapError: new mtlcap.MtlcapError(),
};
const declared = found(/^export (?:interface|class) (\w+)/gm)
  .filter((name) => name !== 'Options' && !(name in mtlcap && name !== 'MtlcapError'));
assert.deepEqual(declared, sorted(Object.keys(objects)));
for (const [name, object] of Object.entries(objects)) {
  const has = Object.hasOwn(object, 'toString') ? ['toString'] : [];
  assert.deepEqual(members(name), sorted([...has, ...Object.keys(object)]), name);
}
const kinds = found(/'(\w+)'/g, text.match(/^export type Kind = (.*);$/m)[1]);
assert.deepEqual(sorted(mtlcap.capabilities().map((it) => it.kind)).filter((it) => !kinds.includes(it)), []);
// What a module imports by name is found without running the package.
import(pathToFileURL(path.join(folder, 'index.js'))).then((imported) => {
  const names = Object.keys(imported).filter((name) => !['default', 'module.exports'].includes(name));
  assert.deepEqual(sorted(names), sorted(Object.keys(mtlcap)));
  for (const name of names) assert.equal(imported[name], mtlcap[name], name);
});
for (const [name, value] of Object.entries(mtlcap)) assert.ok(value, name);
const statuses = Object.values(mtlcap).map(({ status }) => status).filter((it) => it !== undefined);
assert.deepEqual(sorted(statuses), sorted(Object.values(mtlcap.STATUSES).filter((it) => it !== 0)));
console.log(`${Object.keys(mtlcap).length} exports, ${declared.length} kinds of object: as declared`);
