import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ConfigurationChanges } from '../../../platform/runtime-config/configuration-changes';
import { AnswerCache } from './answer-cache';

/** Empties the answer cache when the configuration changes, before the change is acknowledged. */
@Injectable()
export class CacheRelease implements OnModuleInit, OnModuleDestroy {
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly changes: ConfigurationChanges,
    private readonly cache: AnswerCache,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.changes.subscribe(() => this.cache.clear());
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }
}
