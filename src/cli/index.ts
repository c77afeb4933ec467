/*
 * The public API of the commands. It is separate from that of the service, because serving requests loads none of
 * it.
 */
export { CliError, UsageError } from './cli-io';
export { CliIo } from './cli-io';
export { EXTRA_COMMANDS, type ExtraCommands } from './cli.module';
export { type CliOptions, runCli } from './run-cli';
export { type OpenService, ServiceContext } from './service-context';
