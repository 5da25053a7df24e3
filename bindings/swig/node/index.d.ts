// Decides, in this process, what Metal says about a GPU.
//
//     const mtlcap = require('mtlcap');
//
//     mtlcap.apply('auto');                        // before the first Metal client asks
//     console.log(`${mtlcap.query('apple')}`);     // apple: 7 (stock: 5; auto: apple.min=7)
//     mtlcap.restore();                            // stock answers, for every caller
//
// A capability is one question that Metal answers about a device. What the device says by itself is
// the stock answer; what callers get now is the effective answer. A profile is a list of rules that
// turn stock answers into effective ones, and holds for the whole process.

export type Kind = 'family' | 'count' | 'bool' | 'size' | 'tier' | 'size3' | 'text';

/** By kind: bool: boolean; text: string; size3: width, height, depth; else a number. */
export type Value = number | boolean | string | [number, number, number];

export interface Answer {
  capability: string;
  kind: Kind;
  /** What the device says by itself; null if that cannot be known. */
  stock: Value | null;
  /** What callers get now. */
  effective: Value;
  stockText: string;
  effectiveText: string;
  stockKnown: boolean;
  /** The profile in force has a rule for it on this device. */
  overridden: boolean;
  /** It has no rule of its own, and Metal computes it from one that has. */
  derived: boolean;
  /** What decides: 'auto: apple.min=7'; '' if it is not overridden. */
  rule: string;
  /** Where the stock answer comes from: 'Metal', or the path of another's shim. */
  source: string;
  toString(): string;
}

/** An answer, compared with what is expected of it. */
export interface Check {
  met: boolean;
  capability: string;
  /** '>=7': as given. */
  expected: string;
  /** For people: '5'; '' if the device does not have the method. */
  found: string;
  /** 'expected apple>=7, found 5'. */
  message: string;
  toString(): string;
}

/** An answer that differs from stock, on one device. */
export interface Change {
  /** The address of the id<MTLDevice>; 0 where there is none. */
  device: number;
  capability: string;
  stock: string;
  effective: string;
  /** '' if derived. */
  rule: string;
  derived: boolean;
  toString(): string;
}

/** A hazard that a profile meets on this machine. */
export interface Finding {
  /** Its name, as `allow` takes it. */
  hazard: string;
  rule: string;
  /** The reason, and how to override it. */
  message: string;
  refuses: boolean;
  allowed: boolean;
  toString(): string;
}

/** What the apply that is in force did. */
export interface Report {
  /** 0: none is in force. */
  generation: number;
  profile: string;
  /** Names of hazards consented to, joined by '+'. */
  allowed: string;
  deviceCount: number;
  classCount: number;
  hookCount: number;
  changes: Change[];
  findings: Finding[];
  toString(): string;
}

/** What a profile would do on this machine. */
export interface Explanation {
  /** What apply would fail with; 0: it would succeed. */
  status: number;
  /** What the error would say; '' if it would succeed. */
  error: string;
  rules: Change[];
  findings: Finding[];
  toString(): string;
}

/** It lives as long as the process. */
export interface Device {
  /** The address of the id<MTLDevice>. */
  pointer: number;
  name: string;
  className: string;
  paravirtual: boolean;
  adopted: boolean;
  toString(): string;
}

export interface Machine {
  /** Bytes of RAM; 0: unknown. */
  memory: number;
  virtualMachine: boolean | null;
  appleSilicon: boolean | null;
  chip: string;
  /** The Apple family of the chip's own GPU; 0: unknown. */
  chipFamily: number;
  model: string;
  osVersion: string;
  /** The GPU is that of the simulated Metal. */
  simulated: boolean;
  toString(): string;
}

export interface Capability {
  /** In profiles: 'threadgroup_memory'. */
  key: string;
  /** Metal's name: 'maxThreadgroupMemoryLength'. */
  selector: string;
  kind: Kind;
  /** 'bytes', ...; '' if it has none. */
  unit: string;
  canLower: boolean;
  canRaise: boolean;
  /** Of raising it; '' if there is none. */
  hazard: string;
  summary: string;
  toString(): string;
}

export interface Profile {
  name: string;
  rules: string;
  summary: string;
  source: string;
  toString(): string;
}

export interface Hazard {
  /** As `allow` takes it. */
  name: string;
  when: string;
  breaks: string;
  source: string;
  /** Refused unless allowed; otherwise a warning. */
  refuses: boolean;
  toString(): string;
}

export interface Options {
  /** Hazards consented to: a name, or several. */
  allow?: string | string[];
  /**
   * What to do if a client has asked Metal already, and answers would change: 'warn' (the default; a
   * warning of the process, named MtlcapOrderWarning), 'error' (OrderError; nothing is applied), or
   * 'ignore'.
   */
  late?: 'warn' | 'error' | 'ignore';
}

export type LogLevel = 'off' | 'error' | 'warning' | 'info' | 'debug';

/**
 * Applies a profile to every Metal device of this process, all of it or nothing. Applying again
 * replaces it. Without arguments: 'auto'.
 */
export function apply(profile?: string, options?: Options): Report;

/** Stock answers at once, for every caller. Idempotent. What programs have remembered stays. */
export function restore(): void;

/**
 * Calls `body` with a profile in force, for the whole process; then, or when the promise that it
 * returns is settled, what was in force before comes back, unless something else is by then.
 */
export function profile<T>(profile: string, body: (report: Report) => T): T;
export function profile<T>(profile: string, options: Options, body: (report: Report) => T): T;

/** Asks a device (the first, if none is given), and tells what it would say by itself. */
export function query(capability: string, device?: Device | number): Answer;

/** Is an answer as expected: 'apple>=7', 'metal=off', 'threadgroup_memory=32K'? */
export function check(expectation: string, device?: Device | number): Check;

/** What the apply that is in force did, whoever applied it. */
export function report(): Report;

/** What a profile would do on this machine, changing nothing. */
export function explain(profile: string, options?: Pick<Options, 'allow'>): Explanation;

/** Metal's devices, then those that were adopted. */
export function devices(): Device[];

/** Makes a device known that is not in Metal's list. An address that is no object may crash. */
export function adopt(device: Device | number): void;

export function capabilities(): Capability[];
export function profiles(): Profile[];
export function hazards(): Hazard[];
export function machine(): Machine;

/**
 * Sends what the library says, up to a level (default: 'warning'), to `handler`; null: to standard
 * error. It is called after the call that the messages belong to, on its thread (each worker has a
 * handler of its own); what it throws becomes an uncaught exception. What other threads cause from C
 * goes to standard error.
 */
export function setLog(
  handler: ((level: LogLevel, message: string) => void) | null, level?: LogLevel): void;

/** The number of the apply in force; 0: none. */
export function generation(): number;

/** Is any answer overridden in this process now, by any copy of the library? */
export function isActive(): boolean;

/** Of the C library in use. */
export function version(): string;

/** The statuses of the C library by name: { OK: 0, E_ARGUMENT: -1, ... }. */
export const STATUSES: Readonly<Record<string, number>>;

/** Something could not be done; what was in force before still is. */
export class MtlcapError extends Error {
  constructor(message?: string, details?: object);
  /** Of a subclass: the status that it stands for. */
  static readonly status?: number;
  /** 'E_HAZARD'; of an OrderError 'E_ORDER'. */
  readonly code: string;
  /** The C library's status: -6. */
  readonly status: number;
  /** Of a malformed profile: the item, its line (in a file) and its column in bytes, from 1. */
  readonly item: string;
  readonly line: number;
  readonly column: number;
  /** Of a refused profile: the hazard's name, as `allow` takes it. */
  readonly hazard: string;
}

/** With late: 'error': too late for a client that has asked Metal already. Its status is 0. */
export class OrderError extends MtlcapError {}

export class ArgumentError extends MtlcapError {}
export class NoMemoryError extends MtlcapError {}
export class UnsupportedError extends MtlcapError {}
export class NoDeviceError extends MtlcapError {}
export class ProfileError extends MtlcapError {}
export class HazardError extends MtlcapError {}
export class CapabilityError extends MtlcapError {}
export class NotADeviceError extends MtlcapError {}
export class SlotsError extends MtlcapError {}
export class NotReachedError extends MtlcapError {}
export class ProfileFileError extends MtlcapError {}
export class VersionError extends MtlcapError {}
export class BusyError extends MtlcapError {}
export class HookError extends MtlcapError {}
