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
  }
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
const apply = (spec = 'auto', options) => call(() => native.apply(spec, joined(options)));
const capabilities = () => call(native.capabilities);
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

function profile(spec, options, body) {
  if (typeof options === 'function') return profile(spec, {}, options);
  const scope = call(() => new native.Scope(spec, joined(options)));
  let result;
  try {
    result = body(report());
  } finally {
    if (!(result instanceof Promise)) scope.close();
  }
  return result instanceof Promise ? result.finally(() => scope.close()) : result;
}

module.exports = {
  ...errors, MtlcapError, STATUSES, adopt, apply, capabilities, devices, explain, generation, hazards,
  isActive, machine, profile, profiles, query, report, restore, version,
};
