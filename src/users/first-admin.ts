import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ConflictError } from '../platform/common/errors/service-error';
import { Environment, EnvironmentError } from '../platform/config/environment';
import { AuthService } from './auth.service';
import { passwordProblem, usernameProblem } from './credentials.dto';
import { UsersRepository } from './users.repository';

/**
 * Creates the administrator of ADMIN_USERNAME and ADMIN_PASSWORD when the service starts, before it listens. An
 * existing account of that name is never changed. Commands create no administrator.
 */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap {
  private readonly logger = new Logger('Security');

  constructor(
    private readonly environment: Environment,
    private readonly users: UsersRepository,
    private readonly auth: AuthService,
    private readonly host: HttpAdapterHost,
  ) {}

  /** @throws EnvironmentError if registration would refuse the name or the password */
  async onApplicationBootstrap(): Promise<void> {
    const { firstAdmin } = this.environment;
    if (!firstAdmin || !this.host.httpAdapter) return;
    const { username, password } = firstAdmin;
    checkCredentials(username, password);
    const existing = await this.users.findCredentials(username);
    if (existing) {
      if (existing.role !== 'admin') {
        this.logger.warn('The account of ADMIN_USERNAME exists and is no administrator. It was not changed');
      }
      return;
    }
    try {
      await this.auth.createUser(username, password, 'admin');
      this.logger.log('Created the administrator of ADMIN_USERNAME');
    } catch (error) {
      // Another instance that started at the same time has created it.
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

function checkCredentials(username: string, password: string): void {
  const problems = { ADMIN_USERNAME: usernameProblem(username), ADMIN_PASSWORD: passwordProblem(password) };
  const faults = Object.entries(problems).flatMap(([name, problem]) =>
    problem ? [`${name} ${problem}`] : [],
  );
  if (faults.length > 0) throw new EnvironmentError(faults);
}
