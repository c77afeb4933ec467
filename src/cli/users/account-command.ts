import { Injectable } from '@nestjs/common';
import { CommandRunner } from 'nest-commander';
import { AccountsService } from '../../auth/accounts.service';
import { CliError } from '../cli-error';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';

/** A command that changes an account that is there, named in its first argument as at a login. */
@Injectable()
export abstract class AccountCommand extends CommandRunner {
  constructor(
    protected readonly io: CliIo,
    protected readonly service: ServiceContext,
  ) {
    super();
  }

  /**
   * @param change is given the account's name, and answers with nothing where there is none
   * @throws CliError where there is no such account
   */
  protected async change<T>(
    given: string,
    change: (accounts: AccountsService, name: string) => Promise<T | undefined>,
  ): Promise<T> {
    const name = given.trim();
    const found = await this.service.use((service) => change(service.get(AccountsService), name));
    if (found === undefined) throw new CliError(`There is no user "${name}".`);
    return found;
  }
}
