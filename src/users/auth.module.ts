import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModuleOptions } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthenticationModule } from '../platform/authentication/authentication.module';
import { AccountsService } from './accounts.service';
import { AuthController, SessionsController } from './auth.controller';
import { AuthService } from './auth.service';
import { FailedLogins } from './failed-logins';
import { FirstAdmin } from './first-admin';
import { JwtStrategy } from './jwt.strategy';
import { OtherStrategies, StrategyTimeout } from './other-strategies';
import { PasswordHasher } from './password-hasher';
import { RestrictedRoutes, RouteChecks } from './route-checks';
import { PeopleController } from './people/people.controller';
import { PeopleService } from './people/people.service';
import { RolesGuard } from './auth.guards';
import { UserEntity } from './user.entity';
import { UsersRepository } from './users.repository';

@Module({
  imports: [TypeOrmModule.forFeature([UserEntity]), DiscoveryModule, AuthenticationModule],
  controllers: [AuthController, SessionsController, PeopleController],
  providers: [
    UsersRepository,
    AuthService,
    AccountsService,
    PeopleService,
    FirstAdmin,
    JwtStrategy,
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
    AuthenticationModule,
    AuthModuleOptions,
    OtherStrategies,
    RolesGuard,
    UsersRepository,
  ],
})
export class AuthModule {}
