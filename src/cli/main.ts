#!/usr/bin/env node
import '../node-version.cjs';
import '../v8-flags';
import 'reflect-metadata';
import { readEnvironmentFile } from '../platform/config/environment-file';
import { explainStartError } from '../platform/server/start-errors';
import { runCli } from './run-cli';

// With `… | head`, the reader closes the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

async function run(): Promise<number> {
  try {
    readEnvironmentFile();
  } catch (error) {
    process.stderr.write(`Error: ${explainStartError(error)}\n`);
    return 1;
  }
  return runCli();
}

void run().then((code) => {
  process.exitCode = code;
  // Modules opened before a failed start may keep the process alive, so exit after the output has been written.
  if (code !== 0) process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
});
