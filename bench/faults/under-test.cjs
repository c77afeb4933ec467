/*
 * The service of a build (its directory is the first argument), as `main.js` starts it, with two handles for
 * what no request can do: SIGUSR2 sets its wall clock forward and back by a day, in turns; the message 'hang'
 * has it run a statement that does not end.
 */
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const DAY_MS = 24 * 60 * 60 * 1000;
const ENDLESS = 'SELECT count(*) FROM generate_series(1, 1000000000000) AS n';

const dist = process.argv[2];
const now = Date.now;
let step = 0;
Date.now = () => now() + step;
// Back: a clock that goes forward only ages what is kept.
process.on('SIGUSR2', () => (step = step === 0 ? -DAY_MS : 0));

const { Database } = require(join(dist, 'database', 'database.js'));
const { startService } = require(join(dist, 'start-service.js'));
const errors = [join(dist, 'server', 'start-errors.js'), join(dist, 'start-errors.js')].find(existsSync);
const { explainStartError } = require(errors);

startService().then(
  (app) =>
    process.on('message', () => {
      const work = app.get(Database).query({ text: ENDLESS });
      work.catch(() => undefined);
    }),
  (error) => {
    process.stderr.write(`${explainStartError(error)}\n`);
    process.exit(1);
  },
);
