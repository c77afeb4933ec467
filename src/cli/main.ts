#!/usr/bin/env node
import '../node-version.cjs';
import '../v8-flags';
import 'reflect-metadata';
import { readEnvironmentFile } from '../config/environment-file';
import { explainStartError } from '../http/start-errors';
import { runCli } from './run-cli';

// `… export | head`: the reader has enough, and nobody is left to tell.
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
  // What a module opened before the start failed may be beyond our reach; what has been told goes out first.
  if (code !== 0) process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
});
