import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { AuthModuleOptions } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SigningSecret } from '../platform/config/signing-secret';
import { AccessTokens, signingKey, TOKEN_ALGORITHM, TOKEN_LIFETIME_SECONDS } from '../platform/authentication/access-tokens';
import { AccountsService } from './accounts.service';
import { AuthStrategies } from '../platform/authentication/auth-strategies';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { FailedLogins } from './failed-logins';
import { FirstAdmin } from './first-admin';
import { JwtStrategy } from './jwt.strategy';
import { OtherStrategies, StrategyTimeout } from './other-strategies';
import { PasswordHasher } from './password-hasher';
import { RestrictedRoutes } from './restricted-routes';
import { RolesGuard } from './roles.guard';
import { RouteChecks } from './route-checks';
import { UserEntity } from './user.entity';
import { UsersRepository } from './users.repository';

@Module({
  imports: [
    TypeOrmModule.forFeature([UserEntity]),
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
    UsersRepository,
    AuthService,
    AccountsService,
    FirstAdmin,
    AccessTokens,
    JwtStrategy,
    AuthStrategies,
    OtherStrategies,
    { provide: StrategyTimeout, useFactory: () => new StrategyTimeout() },
    RolesGuard,
    RestrictedRoutes,
    RouteChecks,
    {
      provide: AuthModuleOptions,
      inject: [JwtStrategy],
      // The service uses no sessions.
      useFactory: (own: JwtStrategy) => ({ defaultStrategy: [own.name], session: false }),
    },
    PasswordHasher,
    FailedLogins,
  ],
  exports: [
    AuthService,
    AccountsService,
    AccessTokens,
    AuthModuleOptions,
    AuthStrategies,
    OtherStrategies,
    RolesGuard,
    UsersRepository,
  ],
})
export class AuthModule {}
