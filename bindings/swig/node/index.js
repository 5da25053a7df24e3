'use strict';
// Decides, in this process, what Metal says about a GPU. index.d.ts describes every function.

const native = require('./mtlcap.node');

// The statuses of the C library by name, and below a class of errors for each.
const STATUSES = { OK: 0 };
const errors = {};

class MtlcapError extends Error {
  constructor(message, details = {}) {
    super(message);
    const { status = 0, item = '', line = 0, column = 0, hazard = '' } = details;
    const code = Object.keys(STATUSES).find((name) => STATUSES[name] === status);
    Object.assign(this, { code, status, item, line, column, hazard });
  }

  get name() {
    return this.constructor.name;
  }
}

for (const { name, code, status } of native.errorRows()) {
  STATUSES[code] = status;
  errors[name] = { [name]: class extends MtlcapError { static status = status; } }[name];
}

// A profile was asked for with late: 'error', too late for a client that has asked Metal already.
class OrderError extends MtlcapError {}

function translate(error) {
  const type = Object.values(errors).find(({ status }) => status === error.status) ?? MtlcapError;
  return new type(error.message, error);
}

// Does what the addon does, with errors of ours in the place of its own, and plain objects.
function call(work) {
  try {
    return plain(work());
  } catch (error) {
    if (error.status === undefined) throw error;
    throw translate(error);
  } finally {
    tell();
  }
}

const LEVELS = ['off', 'error', 'warning', 'info', 'debug'];
const toStderr = (level, message) => console.error(`mtlcap: ${message}`);
let log = { upTo: 2, handler: toStderr };

// What the call has said. What a handler throws is no failure of the call.
function tell() {
  for (const [level, message] of native.takeMessages()) {
    if (level > log.upTo) continue;
    try {
      log.handler(LEVELS[level], message);
    } catch (error) {
      process.nextTick(() => { throw error; });
    }
  }
}

function setLog(handler, level = 'warning') {
  const upTo = LEVELS.indexOf(level);
  if (upTo < 0) throw new RangeError(`level must be one of ${LEVELS.join(', ')}, not ${level}`);
  if (handler && typeof handler !== 'function') throw new TypeError('handler must be a function');
  log = { upTo, handler: handler ?? toStderr };
  call(() => native.keepMessages(true));
}

const LATE = ['warn', 'error', 'ignore'];

// Warns if a client has asked Metal already, and answers would change.
function complain(spec, allow, late = 'warn') {
  if (!LATE.includes(late)) throw new RangeError(`late must be one of ${LATE.join(', ')}, not ${late}`);
  const why = late === 'ignore' ? '' : call(() => native.whyLate(spec, allow));
  if (why && late === 'error') throw new OrderError(why);
  if (why) process.emitWarning(why, 'MtlcapOrderWarning');
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object' || value instanceof native.Scope) return value;
  const object = {};
  const properties = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value));
  for (const [name, { get }] of Object.entries(properties)) {
    if (get) object[name] = plain(value[name]);
  }
  if (properties.toS) {
    const line = value.toS();
    Object.defineProperty(object, 'toString', { value: () => line });
  }
  return object;
}

const address = (device) => device?.pointer ?? device ?? 0;
const joined = ({ allow = [] } = {}) => [].concat(allow).join('+');

const adopt = (device) => call(() => native.adopt(address(device)));
const capabilities = () => call(native.capabilities);
const check = (expectation, device) => call(() => native.check(expectation, address(device)));
const devices = () => call(native.devices);
const explain = (spec, options) => call(() => native.explain(spec, joined(options)));
const generation = () => native.generation();
const hazards = () => call(native.hazards);
const isActive = () => native.isActive();
const machine = () => call(native.machine);
const profiles = () => call(native.profiles);
const query = (capability, device) => call(() => native.query(capability, address(device)));
const report = () => call(native.report);
const restore = () => native.restore();
const version = () => native.version();

function apply(spec = 'auto', options = {}) {
  const allow = joined(options);
  complain(spec, allow, options.late);
  return call(() => native.apply(spec, allow));
}

function profile(spec, options, body) {
  if (typeof options === 'function') return profile(spec, {}, options);
  const allow = joined(options);
  complain(spec, allow, options.late);
  const scope = call(() => new native.Scope(spec, allow));
  const close = () => call(() => scope.close());
  let result;
  try {
    result = body(report());
  } finally {
    if (!(result instanceof Promise)) close();
  }
  return result instanceof Promise ? result.finally(close) : result;
}

module.exports = {
  ...errors, MtlcapError, OrderError, STATUSES, adopt, apply, capabilities, check, devices, explain,
  generation, hazards, isActive, machine, profile, profiles, query, report, restore, setLog, version,
};
