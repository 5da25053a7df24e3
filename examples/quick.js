// The library in a few lines.
const mtlcap = require('mtlcap');

function ask(capability) {
  const answer = mtlcap.query(capability);
  console.log(`${capability}: ${answer.effective} (stock: ${answer.stock})`);
}

mtlcap.apply('auto'); // before the first Metal client asks
ask('apple');

try {
  mtlcap.apply('apple.min=9');
} catch (error) { // what was in force stays
  if (!(error instanceof mtlcap.HazardError)) throw error;
  console.log(`refused: ${error.hazard} (${error.status})`);
}

mtlcap.restore(); // stock answers, for every caller
ask('apple');
