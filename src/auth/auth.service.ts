import { Injectable } from '@nestjs/common';
import type { CurrentUser, Role } from '../common/access/current-user';
import { ConflictError, ForbiddenError, UnauthorizedError } from '../common/errors/service-error';
import { violates } from '../database/pg-errors';
import { Environment } from '../environment/environment';
import { USERNAME_CONSTRAINT, UsersRepository } from '../users/users.repository';
import { AccessTokens } from './access-tokens';
import type { LoginDto, RegisterDto } from './dto/credentials.dto';
import type { SessionDto } from './dto/session.dto';
import { PasswordHasher } from './password-hasher';

@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly tokens: AccessTokens,
    private readonly environment: Environment,
  ) {}

  /** @throws ForbiddenError when registration is closed, ConflictError when the name is taken */
  async register({ username, password }: RegisterDto): Promise<SessionDto> {
    if (!this.environment.registrationOpen) throw new ForbiddenError();
    return this.session(await this.createUser(username, password, 'engineer'));
  }

  /** @throws UnauthorizedError for wrong credentials */
  async login({ username, password }: LoginDto): Promise<SessionDto> {
    const user = await this.users.findCredentials(username);
    if (!(await this.hasher.matches(password, user?.passwordHash)) || !user) {
      throw new UnauthorizedError('用户名或密码错误', {});
    }
    return this.session(user);
  }

  /**
   * A new account. The database's unique constraint decides about the name, so it holds under races.
   * @throws ConflictError when the name is taken
   */
  async createUser(username: string, password: string, role: Role): Promise<CurrentUser> {
    const passwordHash = await this.hasher.hash(password);
    try {
      return await this.users.create({ username, passwordHash, role });
    } catch (error) {
      throw violates(error, USERNAME_CONSTRAINT) ? new ConflictError('用户名已存在') : error;
    }
  }

  private session({ id, username, role }: CurrentUser): SessionDto {
    return { id, username, role, token: this.tokens.issue({ id, username, role }) };
  }
}
