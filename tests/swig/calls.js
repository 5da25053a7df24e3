// What Node does around a call; see calls.py.
'use strict';
const mtlcap = require('mtlcap');
const { Worker } = require('node:worker_threads');
const what = process.argv[2];
const apple = () => mtlcap.query('apple').effective;
const True = (value) => (value ? 'True' : 'False');
const later = () => new Promise((resolve) => { setTimeout(resolve, 300); });

async function log() {
  let told = [];
  mtlcap.setLog((level, message) => told.push([level, message.includes('old-sdk-bf16'), apple()]));
  mtlcap.apply('auto');
  console.log(`told: ${told[0][0]} ${True(told[0][1])}, apple ${told[0][2]}`);
  told = [];
  mtlcap.apply('auto', { allow: 'old-sdk-bf16' });
  console.log(`told when allowed: ${told.length}`);
  // A worker has a handler of its own, and is told what its own calls say.
  const counted = await new Promise((resolve, reject) => {
    new Worker(`const mtlcap = require('mtlcap');
      let count = 0;
      mtlcap.setLog(() => { count += 1; });
      mtlcap.apply('auto');
      require('node:worker_threads').parentPort.postMessage(count);`, { eval: true })
      .on('message', resolve).on('error', reject);
  });
  if (counted !== 1 || told.length) throw new Error(`worker ${counted}, main ${told.length}`);
  const reported = new Promise((resolve) => { process.once('uncaughtException', resolve); });
  mtlcap.setLog(() => { throw new RangeError('mine'); });
  mtlcap.apply('auto');
  console.log(`failing handler: reported ${True((await reported).message === 'mine')}, ` +
    `applied ${True(mtlcap.isActive())}`);
  mtlcap.setLog(null);
  mtlcap.apply('auto');
  console.log(`told after null: ${told.length}`);
}

async function thrown() {
  const reported = new Promise((resolve) => { process.once('uncaughtException', resolve); });
  mtlcap.setLog(() => { throw new RangeError('mine'); });
  const entered = mtlcap.profile('auto', apple);
  console.log(`left: ${True((await reported).message === 'mine' && entered === 7 && mtlcap.generation() === 0)}`);
}

async function text() {
  const profile = '@\u{1F600}.mtlcap';
  console.log(`file: ${True(mtlcap.apply(profile).profile === profile)}, apple ${apple()}`);
  try {
    mtlcap.apply('auto\0');
  } catch (error) {
    console.log(`zero: refused ${True(error instanceof mtlcap.ArgumentError)}`);
  }
}

async function foreign() {
  let told = 0;
  mtlcap.setLog(() => { told += 1; }, 'debug');
  await later();
  console.log(`told: ${told}, in force ${True(mtlcap.generation() > 1)}`);
  process.exit();
}

async function late() {
  let warned = [];
  process.on('warning', (it) => warned.push(`${it.name} ${it.message}`));
  const count = async () => { await later(); const [...all] = warned; warned = []; return all; };
  mtlcap.apply('stock', { late: 'error' });
  console.log(`nothing to change: ${(await count()).length}`);
  try {
    mtlcap.apply('auto', { late: 'error' });
    console.log('error: False');
    mtlcap.restore();
  } catch (error) {
    console.log(`error: ${True(error instanceof mtlcap.OrderError && error instanceof mtlcap.MtlcapError &&
      error.code === 'E_ORDER')} ` +
      `${True(/llama\.cpp \(.*libggml-metal/.test(error.message))}, status ${error.status}, ` +
      `in force ${True(mtlcap.isActive())}`);
  }
  mtlcap.apply('auto');
  const [...all] = await count();
  console.log(`warned: ${all.length}` + (all.length
    ? ` ${True(/^MtlcapOrderWarning .*mtlcap run -p 'auto' -- PROGRAM/.test(all[0]))}, apple ${apple()}` : ''));
  mtlcap.profile('apple.max=4', () => {});
  console.log(`scope warned: ${(await count()).length}`);
  let refused = false;
  try {
    mtlcap.profile('auto', { late: 'error' }, () => {});
  } catch (error) {
    refused = error instanceof mtlcap.OrderError;
  }
  console.log(`scope refused: ${True(refused)}`);
  mtlcap.apply('auto', { late: 'ignore' });
  mtlcap.profile('auto', { late: 'ignore' }, () => {});
  console.log(`ignored: ${(await count()).length}`);
}

({ log, thrown, text, foreign, late, 'in-time': late })[what]();
