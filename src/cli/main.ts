import '../v8-flags';
import 'reflect-metadata';
import { explainStartError } from '../server/start-errors';
import { runCli } from './run-cli';

// `… export | head`: the reader has enough, and nobody is left to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

runCli().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${explainStartError(error)}\n`);
    process.exitCode = 1;
  },
);
