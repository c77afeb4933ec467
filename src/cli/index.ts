/*
 * The public surface of the commands, apart from the service's: what serves requests loads nothing of it.
 */
export { CliError, UsageError } from './cli-error';
export { CliIo } from './cli-io';
export { EXTRA_COMMANDS, type ExtraCommands } from './extra-commands';
export { type CliOptions, runCli } from './run-cli';
export { type OpenService, ServiceContext } from './service-context';
