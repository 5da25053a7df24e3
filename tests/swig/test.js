// The binding for Node, on the simulated Metal. With the argument no-metal: without it.
'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const mtlcap = require('mtlcap');

if (process.argv[2] === 'no-metal') {
  test('without Metal', () => {
    assert.throws(() => mtlcap.apply(), { name: 'UnsupportedError', code: 'E_UNSUPPORTED', status: -3 });
    assert.throws(() => mtlcap.query('apple'), mtlcap.UnsupportedError);
    assert.ok(mtlcap.capabilities().length > 40);
    mtlcap.restore();
    assert.equal(mtlcap.isActive(), false);
  });
  return;
}

const apple = () => mtlcap.query('apple').effective;
test.beforeEach(() => mtlcap.restore());

test('apply, query, restore', () => {
  const report = mtlcap.apply();
  assert.equal(report.profile, 'auto');
  assert.equal(report.generation, mtlcap.generation());
  assert.equal(`${report.changes[0]}`, 'apple: 5 -> 7 (auto: apple.min=7)');
  assert.equal(mtlcap.isActive(), true);
  assert.deepEqual({ ...mtlcap.query('apple'), toString: undefined }, {
    capability: 'apple', kind: 'family', stock: 5, effective: 7, stockText: '5', effectiveText: '7',
    stockKnown: true, overridden: true, derived: false, rule: 'auto: apple.min=7', source: 'Metal',
    toString: undefined,
  });
  assert.equal(`${mtlcap.query('apple')}`, 'apple: 7 (stock: 5; auto: apple.min=7)');
  assert.equal(mtlcap.query('raytracing').effective, true);
  assert.equal(mtlcap.query('threadgroup_memory').effective, 32768);
  assert.deepEqual(mtlcap.query('maxThreadsPerThreadgroup').effective, [1024, 1024, 1024]);
  assert.equal(mtlcap.query('name').effective, 'Apple Paravirtual device');
  mtlcap.restore();
  assert.equal(apple(), 5);
  assert.equal(mtlcap.isActive(), false);
  assert.equal(mtlcap.report().generation, 0);
});

test('check', () => {
  const check = mtlcap.check('apple>=7');
  assert.deepEqual({ ...check, toString: undefined }, {
    met: false, capability: 'apple', expected: '>=7', found: '5', message: 'expected apple>=7, found 5',
    toString: undefined,
  });
  assert.equal(`${check}`, check.message);
  mtlcap.apply('auto');
  assert.equal(mtlcap.check('apple>=7', mtlcap.devices()[0]).met, true);
  assert.throws(() => mtlcap.check('apple'), mtlcap.ArgumentError);
});

test('refusals leave what was in force', () => {
  const { generation } = mtlcap.apply('auto');
  assert.throws(() => mtlcap.apply('apple.min=9'), (error) => {
    assert.ok(error instanceof mtlcap.HazardError && error instanceof mtlcap.MtlcapError);
    assert.ok(error instanceof Error);
    assert.match(error.message, /the silicon is older/);
    assert.match(error.stack, /^HazardError: hazard beyond-hardware/);
    assert.deepEqual([error.name, error.code, error.status, error.hazard],
      ['HazardError', 'E_HAZARD', -6, 'beyond-hardware']);
    return true;
  });
  assert.throws(() => mtlcap.apply('auto,appel.min=7'), {
    name: 'ProfileError', status: -5, item: 'appel.min=7', column: 6, line: 0,
    message: /did you mean 'apple'\?/,
  });
  assert.throws(() => mtlcap.apply('@/nowhere'), mtlcap.ProfileFileError);
  assert.throws(() => mtlcap.query('nonsense'), mtlcap.CapabilityError);
  assert.throws(() => mtlcap.apply('auto\0,lume'), { status: -1, message: /NUL/ });
  assert.throws(() => mtlcap.query(3), TypeError);
  assert.throws(() => mtlcap.query('apple', 'first'), TypeError);
  for (const device of [NaN, Infinity, 0.5, -1, 2 ** 60, true, {}]) {
    const mistaken = { name: 'TypeError', message: /^device must be a device of devices\(\) or an address, not / };
    assert.throws(() => mtlcap.query('apple', device), mistaken);
    assert.throws(() => mtlcap.check('apple=5', device), mistaken);
    assert.throws(() => mtlcap.adopt(device), mistaken);
  }
  assert.equal(mtlcap.generation(), generation);
  assert.equal(apple(), 7);
});

test('what fails keeps no memory', async () => {
  const failing = async (count) => {
    for (let i = 0; i < count; i++) {
      assert.throws(() => mtlcap.query('nonsense'.repeat(500)), mtlcap.CapabilityError);
      if (i % 100 === 0) await new Promise(setImmediate);
    }
  };
  const resident = () => process.memoryUsage().rss / 1024;
  await failing(5_000);
  const before = resident();
  await failing(10_000); // of 4 KB each
  assert.ok(resident() - before < 20_000, `${resident() - before} KB`);
});

test('what is said of a restore is told at once', () => {
  const told = [];
  mtlcap.setLog((level, message) => told.push(message), 'info');
  mtlcap.apply('auto');
  mtlcap.restore();
  assert.deepEqual(told.map((it) => it.split(' ')[0]), ['applied', 'restored']);
  mtlcap.setLog(null);
});

test('consent', () => {
  assert.equal(mtlcap.apply('apple.min=9', { allow: 'beyond-hardware' }).allowed, 'beyond-hardware');
  const report = mtlcap.apply('lume', { allow: ['beyond-hardware', 'threadgroup-memory'] });
  assert.deepEqual(report.findings.filter((it) => it.allowed).map((it) => it.hazard).sort(),
    ['beyond-hardware', 'threadgroup-memory']);
});

test('arguments of the wrong type, and options that there are not', () => {
  const { generation } = mtlcap.apply('apple.max=4');
  const fails = (message, ...calls) => calls.forEach(
    (call) => assert.throws(call, { name: 'TypeError', message }, call.toString()));
  const { apply, check, explain, profile, query } = mtlcap;
  fails(/^profile must be a string, not /, () => apply({ allow: 'metal' }), () => apply(null), () => apply(7),
    () => explain(), () => explain(['auto']), () => profile(undefined, () => 0), () => profile(() => 0));
  fails(/^capability must be a string, not 3$/, () => query(3));
  fails(/^expectation must be a string, not undefined$/, () => check());
  fails(/^options must be an object with allow and late, not 'beyond-hardware'$/,
    () => apply('auto', 'beyond-hardware'), () => profile('auto', 'beyond-hardware', () => 0));
  fails(/^options must be an object/, () => apply('auto', null), () => apply('auto', ['metal']));
  fails(/^there is no option (allowed|Late): options are allow and late$/,
    () => apply('auto', { allowed: 'metal' }), () => apply('auto', { Late: 'error' }),
    () => profile('auto', { Late: 'error' }, () => 0));
  fails(/^there is no option late: options are allow$/, () => explain('auto', { late: 'warn' }));
  fails(/^allow must be a string, not 1$/, () => apply('auto', { allow: [1] }));
  fails(/^profile needs a function, and holds while that runs/, () => profile('auto'),
    () => profile('auto', {}), () => profile('auto', {}, 'auto'), () => profile('auto', () => 0, {}));
  assert.equal(mtlcap.generation(), generation);
});

test('everything describes itself', () => {
  assert.equal(`${mtlcap.report()}`, 'no profile is in force');
  assert.match(`${mtlcap.apply('apple.min=6')}`, /^apple.min=6\n {2}apple: 5 -> 6 \(apple.min=6\)/);
  assert.match(`${mtlcap.explain('apple.min=7')}`, /^would be applied\n {2}apple: /);
  assert.match(`${mtlcap.explain('apple.min=9')}`, /^hazard beyond-hardware/);
  assert.match(`${mtlcap.explain('apple.min=9').findings[0]}`, /the silicon is older/);
  assert.equal(`${mtlcap.devices()[0]}`, 'Apple Paravirtual device (AppleParavirtDevice)');
  assert.match(`${mtlcap.machine()}`, /^Apple M1 Ultra \(Virtual\), macOS \d/);
  assert.match(`${mtlcap.capabilities()[0]}`, /^apple: /);
  assert.match(`${mtlcap.profiles()[0]}`, /^stock: /);
  assert.match(`${mtlcap.hazards()[0]}`, /^metal: /);
});

test('profile brings back what was before', async () => {
  mtlcap.profile('apple.max=4', (outer) => {
    assert.equal(outer.profile, 'apple.max=4');
    assert.equal(mtlcap.profile('auto', {}, apple), 7);
    assert.throws(() => mtlcap.profile('auto', () => { throw new RangeError('mine'); }), RangeError);
    assert.equal(apple(), 4);
  });
  assert.equal(apple(), 5);
  assert.throws(() => mtlcap.profile('apple.min=9', assert.fail), mtlcap.HazardError);
  const late = mtlcap.profile('auto', async () => { await null; return apple(); });
  assert.equal(apple(), 7);
  assert.equal(await late, 7);
  assert.equal(apple(), 5);
  await assert.rejects(mtlcap.profile('auto', async () => { throw new RangeError(); }), RangeError);
  assert.equal(apple(), 5);
});

test('explain, devices, tables', () => {
  const explanation = mtlcap.explain('apple.min=9');
  assert.equal(explanation.status, -6);
  assert.equal(explanation.findings[0].hazard, 'beyond-hardware');
  assert.equal(`${explanation.rules[0]}`, 'apple: 5 -> 9 (apple.min=9)');
  assert.equal(mtlcap.isActive(), false);
  const [device] = mtlcap.devices();
  assert.equal(device.paravirtual, true);
  assert.equal(mtlcap.query('apple', device).effective, 5);
  assert.equal(mtlcap.query('apple', device.pointer).effective, 5);
  mtlcap.adopt(device);
  assert.throws(() => mtlcap.adopt(), mtlcap.ArgumentError);
  assert.equal(mtlcap.machine().virtualMachine, true);
  assert.equal(mtlcap.capabilities().find((it) => it.key === 'threadgroup_memory').unit, 'bytes');
  assert.equal(mtlcap.hazards().find((it) => it.name === 'metal').refuses, true);
  assert.equal(mtlcap.profiles()[0].name, 'stock');
  assert.equal(require('mtlcap/package.json').version, mtlcap.version());
});
