import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { CurrentUser } from 'formula-development-service';
import { Strategy } from 'passport-custom';
import { ApiKeysService } from './api-keys.service';

// #region strategy
/** Any passport strategy will do; what it gives is an account of the service. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(Strategy, 'api-key') {
  constructor(private readonly keys: ApiKeysService) {
    super();
  }

  /** Null: not recognised, the next strategy is tried. */
  async validate(request: Request): Promise<CurrentUser | null> {
    const key = request.get('X-API-Key');
    return key ? this.keys.ownerOf(key) : null;
  }
}
// #endregion
