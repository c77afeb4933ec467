import { Injectable } from '@nestjs/common';
import type { CurrentUser, Role } from '../platform/common/current-user';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  TooManyRequestsError,
  UnauthorizedError,
} from '../platform/common/errors/service-error';
import { RegisteredRoles } from '../platform/common/registered-roles';
import { SecurityLog } from '../platform/common/security-log';
import { text } from '../platform/texts/text';
import { Environment } from '../platform/config/environment';
import { EventPublisher } from '../platform/events/event-publisher';
import { AccessTokens } from '../platform/authentication/access-tokens';
import type { ChangePasswordDto, LoginDto, RegisterDto, SessionDto } from './credentials.dto';
import { changeUser } from './accounts.service';
import { FailedLogins } from './failed-logins';
import { PasswordHasher } from './password-hasher';
import { type Credentials, isUsernameTaken, UsersRepository } from './users.repository';

@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly tokens: AccessTokens,
    private readonly environment: Environment,
    private readonly failedLogins: FailedLogins,
    private readonly security: SecurityLog,
    private readonly roles: RegisteredRoles,
    private readonly events: EventPublisher,
  ) {}

  /** @throws ForbiddenError if registration is closed, ConflictError if the name is taken */
  async register({ username, password }: RegisterDto): Promise<SessionDto> {
    if (!this.environment.registrationOpen) throw new ForbiddenError();
    const user = await this.createUser(username, password, 'engineer');
    this.failedLogins.signedIn(username);
    return this.session(user, 0);
  }

  /** @throws UnauthorizedError for wrong credentials, TooManyRequestsError after too many failures */
  async login({ username, password }: LoginDto): Promise<SessionDto> {
    const user = await this.authenticate(username, password);
    if (!user) throw new UnauthorizedError(text('auth.wrong-credentials'), {});
    return this.session(user, user.tokenVersion);
  }

  /**
   * Replaces the user's password. All tokens of the account end, and the session contains a new one. A wrong old
   * password counts as a failed login.
   * @throws InvalidInputError for a wrong old password, TooManyRequestsError after too many failures
   */
  async changePassword(
    { username }: CurrentUser,
    { oldPassword, newPassword }: ChangePasswordDto,
  ): Promise<SessionDto> {
    const user = await this.authenticate(username, oldPassword);
    if (!user) throw wrongOldPassword();
    const newHash = await this.hasher.hash(newPassword);
    const tokenVersion = await changeUser(this.events, this.security, user, 'password', () =>
      this.users.replacePassword(user.id, user.passwordHash, newHash),
    );
    // Another request has replaced the password in the meantime, so the old password is wrong now.
    if (tokenVersion === undefined) throw wrongOldPassword();
    return this.session(user, tokenVersion);
  }

  /** Ends all tokens of the account. */
  async logout(user: CurrentUser): Promise<void> {
    await changeUser(this.events, this.security, user, 'signed-out', () => this.users.endTokens(user.id));
  }

  /**
   * Returns the account with this name and password; undefined for wrong credentials.
   * @throws TooManyRequestsError after too many failures
   */
  private async authenticate(username: string, password: string): Promise<Credentials | undefined> {
    const check = async () => {
      const user = await this.users.findCredentials(username);
      const isRight = await this.hasher.matches(password, user?.passwordHash);
      if (isRight && user && user.disabledAt === null) return user;
      // Only the log distinguishes these reasons.
      const reason = !user ? 'unknown user' : !isRight ? 'wrong password' : 'disabled';
      this.security.record('login.refused', { user: user?.id ?? null, reason });
      return undefined;
    };
    return this.failedLogins.attempt(username, check).catch((error: unknown) => {
      if (error instanceof TooManyRequestsError) {
        this.security.record('login.refused', { user: null, reason: 'too many' });
      }
      throw error;
    });
  }

  /**
   * Creates an account. The database's unique constraints decide whether the name is free, so concurrent requests
   * are safe.
   * @param id an id that no account has; default: a new one
   * @throws ConflictError if the name is taken, InvalidInputError for a role that is not registered
   */
  async createUser(username: string, password: string, role: Role, id?: string): Promise<CurrentUser> {
    this.roles.check(role);
    const passwordHash = await this.hasher.hash(password);
    try {
      const user = await this.events.transaction(async () => {
        const created = await this.users.create({ id, username, passwordHash, role });
        await this.events.publish('user.created', created.id, { username, role });
        return created;
      });
      this.security.record('user.changed', { account: user.id, change: 'created' });
      return user;
    } catch (error) {
      throw isUsernameTaken(error) ? new ConflictError(text('auth.username-taken')) : error;
    }
  }

  private session({ id, username, role }: CurrentUser, tokenVersion: number): SessionDto {
    return { id, username, role, token: this.tokens.issue({ id, username, role }, tokenVersion) };
  }
}

/** Not 401: the token of the request is valid, and front ends sign out at a 401. */
const wrongOldPassword = () =>
  InvalidInputError.of([{ field: 'oldPassword', message: text('auth.wrong-old-password') }]);
