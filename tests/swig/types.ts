// What index.d.ts declares is what a caller in TypeScript writes: this compiles, under --strict.
import * as mtlcap from 'mtlcap';

const report: mtlcap.Report = mtlcap.apply('auto', { allow: ['pytorch-mpp'] });
const lines: string[] = report.changes.map((change) => `${change}`);
const answer: mtlcap.Answer = mtlcap.query('apple', mtlcap.devices()[0]);
const value: mtlcap.Value | null = answer.stock;
const family: number = mtlcap.profile('apple.max=6', () => 6);
const later: Promise<string> = mtlcap.profile('auto', {}, async (it) => it.profile);
const known: boolean | null = mtlcap.machine().virtualMachine;
const bytes: string[] = mtlcap.capabilities().filter((it) => it.kind === 'size').map((it) => it.unit);
try {
  mtlcap.apply();
} catch (error) {
  if (error instanceof mtlcap.HazardError) console.log(error.code, error.status, error.hazard);
}
const unmet: string = mtlcap.check('apple>=7', mtlcap.devices()[0]).message;
mtlcap.setLog((level: mtlcap.LogLevel, message: string) => console.log(level, message), 'info');
mtlcap.setLog(null);
mtlcap.apply('auto', { late: 'error' });
mtlcap.restore();

// And these do not.
// @ts-expect-error
mtlcap.apply(7);
// @ts-expect-error
mtlcap.query('apple').efective;
// @ts-expect-error
report.profile = 3;
// @ts-expect-error
mtlcap.explain('auto', { alow: 'metal' });
// @ts-expect-error
mtlcap.explain('auto', { late: 'warn' });
// @ts-expect-error
mtlcap.setLog(console.log, 'loud');

export { lines, value, family, later, known, bytes, unmet };
