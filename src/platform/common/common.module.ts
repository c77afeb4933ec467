import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Clock } from './clock';
import { placedUnder } from './extension-tokens';
import { RegisteredRoles } from './registered-roles';
import { SecurityLog } from './security-log';
import { OpenStreams } from '../sse/open-streams';
import { LANGUAGE, setLanguages } from '../texts/languages';
import { RequestClasses } from '../validation/request-instance';

/** Providers that any module may inject without an import. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: Clock, useFactory: () => new Clock() },
    RegisteredRoles,
    RequestClasses,
    SecurityLog,
    OpenStreams,
  ],
  exports: [Clock, OpenStreams, RegisteredRoles, RequestClasses, SecurityLog],
})
export class CommonModule implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws ExtensionError if a language is invalid */
  onModuleInit(): void {
    setLanguages(placedUnder(LANGUAGE, this.discovery));
  }
}
