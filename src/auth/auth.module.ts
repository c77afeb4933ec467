import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AuthModuleOptions } from '@nestjs/passport';
import { SigningSecret } from '../environment/signing-secret';
import { UsersModule } from '../users/users.module';
import { AccessTokens, signingKey, TOKEN_ALGORITHM, TOKEN_LIFETIME } from './access-tokens';
import { AUTH_STRATEGIES, authOptions } from './auth-strategies';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { JwtStrategy } from './jwt.strategy';
import { PasswordHasher } from './password-hasher';

@Module({
  imports: [
    UsersModule,
    JwtModule.registerAsync({
      inject: [SigningSecret],
      useFactory: (secret: SigningSecret) => ({
        secret: signingKey(secret) as unknown as Buffer,
        signOptions: { algorithm: TOKEN_ALGORITHM, expiresIn: TOKEN_LIFETIME },
        verifyOptions: { algorithms: [TOKEN_ALGORITHM] },
      }),
    }),
  ],
  controllers: [AuthController],
  providers: [
    AuthService,
    AccessTokens,
    JwtStrategy,
    {
      provide: AuthModuleOptions,
      inject: [JwtStrategy, { token: AUTH_STRATEGIES, optional: true }],
      useFactory: authOptions,
    },
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
  ],
  exports: [AuthService, AccessTokens, AuthModuleOptions],
})
export class AuthModule {}
