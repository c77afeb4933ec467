import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { SigningSecret } from '../config/signing-secret';
import { AccessTokens, signingKey, TOKEN_ALGORITHM, TOKEN_LIFETIME_SECONDS } from './access-tokens';
import { AuthStrategies } from './auth-strategies';

/** Access tokens, and the list of strategies. The guards and the rate limit both need them. */
@Module({
  imports: [
    DiscoveryModule,
    JwtModule.registerAsync({
      inject: [SigningSecret],
      useFactory: (secret: SigningSecret) => ({
        privateKey: signingKey(secret),
        signOptions: { algorithm: TOKEN_ALGORITHM, expiresIn: TOKEN_LIFETIME_SECONDS },
        verifyOptions: { algorithms: [TOKEN_ALGORITHM] },
      }),
    }),
  ],
  providers: [AccessTokens, AuthStrategies],
  exports: [AccessTokens, AuthStrategies],
})
export class AuthenticationModule {}
