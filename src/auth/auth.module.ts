import { Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { AuthModuleOptions } from '@nestjs/passport';
import { Clock } from '../common/clock';
import { theOneUnder } from '../common/extension-tokens';
import { SigningSecret } from '../environment/signing-secret';
import { UsersModule } from '../users/users.module';
import { AccessTokens, signingKey, TOKEN_ALGORITHM } from './access-tokens';
import { AccountsService } from './accounts.service';
import { AUTH_STRATEGIES, passportNames } from './auth-strategies';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { FailedLogins } from './failed-logins';
import { JwtStrategy } from './jwt.strategy';
import { PasswordHasher } from './password-hasher';
import { RolesGuard } from './roles.guard';
import { TOKEN_LIFETIME_SECONDS } from './token-claims';

@Module({
  imports: [
    UsersModule,
    DiscoveryModule,
    JwtModule.registerAsync({
      inject: [SigningSecret],
      useFactory: (secret: SigningSecret) => ({
        secret: signingKey(secret) as unknown as Buffer,
        signOptions: { algorithm: TOKEN_ALGORITHM, expiresIn: TOKEN_LIFETIME_SECONDS },
        verifyOptions: { algorithms: [TOKEN_ALGORITHM] },
      }),
    }),
  ],
  controllers: [AuthController],
  providers: [
    AuthService,
    AccountsService,
    AccessTokens,
    JwtStrategy,
    RolesGuard,
    {
      provide: AuthModuleOptions,
      inject: [JwtStrategy],
      // Nothing is kept in a session.
      useFactory: (own: JwtStrategy) => ({ defaultStrategy: passportNames(own), session: false }),
    },
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
    { provide: FailedLogins, inject: [Clock], useFactory: (clock: Clock) => new FailedLogins(clock) },
  ],
  exports: [AuthService, AccessTokens, AuthModuleOptions, RolesGuard],
})
export class AuthModule implements OnModuleInit {
  constructor(
    private readonly options: AuthModuleOptions,
    private readonly own: JwtStrategy,
    private readonly discovery: DiscoveryService,
  ) {}

  /** By then all modules are there: the guard asks for the names at each request. */
  onModuleInit(): void {
    const names = theOneUnder<string[]>(AUTH_STRATEGIES, this.discovery);
    this.options.defaultStrategy = passportNames(this.own, names);
  }
}
