import { Global, Module } from '@nestjs/common';
import { Clock } from './clock';

@Global()
@Module({ providers: [{ provide: Clock, useFactory: () => new Clock() }], exports: [Clock] })
export class CommonModule {}
