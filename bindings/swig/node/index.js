'use strict';
// Decides, in this process, what Metal says about a GPU. index.d.ts describes every function.

const { inspect } = require('util');
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
class OrderError extends MtlcapError {
  constructor(message) {
    super(message);
    this.code = 'E_ORDER';
  }
}

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

// What is no whole number would become the first device.
function address(device) {
  const pointer = device?.pointer ?? device ?? 0;
  if (Number.isSafeInteger(pointer) && pointer >= 0) return pointer;
  throw new TypeError(`device must be a device of devices() or an address, not ${inspect(device)}`);
}

function text(value, what) {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string, not ${inspect(value)}`);
  return value;
}

// A misspelt option would be one that is not heeded.
function checked(options, ...known) {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new TypeError(`options must be an object with ${known.join(' and ')}, not ${inspect(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new TypeError(`there is no option ${name}: options are ${known.join(' and ')}`);
  }
  const { allow = [], late } = options;
  return { allow: [].concat(allow).map((it) => text(it, 'allow')).join('+'), late };
}

const adopt = (device) => call(() => native.adopt(address(device)));
const capabilities = () => call(native.capabilities);
const check = (expectation, device) => call(
  () => native.check(text(expectation, 'expectation'), address(device)));
const devices = () => call(native.devices);
const explain = (spec, options = {}) => call(
  () => native.explain(text(spec, 'profile'), checked(options, 'allow').allow));
const generation = () => native.generation();
const hazards = () => call(native.hazards);
const isActive = () => native.isActive();
const machine = () => call(native.machine);
const profiles = () => call(native.profiles);
const query = (capability, device) => call(
  () => native.query(text(capability, 'capability'), address(device)));
const report = () => call(native.report);
const restore = () => call(native.restore);
const version = () => native.version();

function apply(spec = 'auto', options = {}) {
  const { allow, late } = checked(options, 'allow', 'late');
  complain(text(spec, 'profile'), allow, late);
  return call(() => native.apply(spec, allow));
}

function profile(spec, options, body) {
  if (typeof options === 'function' && body === undefined) return profile(spec, {}, options);
  text(spec, 'profile');
  if (typeof body !== 'function') {
    throw new TypeError('profile needs a function, and holds while that runs; apply holds until restore');
  }
  const { allow, late } = checked(options, 'allow', 'late');
  complain(spec, allow, late);
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

// By name, for `import { apply } from 'mtlcap'`: Node reads them here without running it.
const {
  ArgumentError, NoMemoryError, UnsupportedError, NoDeviceError, ProfileError, HazardError,
  CapabilityError, NotADeviceError, SlotsError, NotReachedError, ProfileFileError, VersionError,
  BusyError, HookError,
} = errors;

module.exports = {
  ArgumentError, NoMemoryError, UnsupportedError, NoDeviceError, ProfileError, HazardError,
  CapabilityError, NotADeviceError, SlotsError, NotReachedError, ProfileFileError, VersionError,
  BusyError, HookError, MtlcapError, OrderError, STATUSES, adopt, apply, capabilities, check, devices,
  explain, generation, hazards, isActive, machine, profile, profiles, query, report, restore, setLog,
  version,
};
