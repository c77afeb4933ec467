import { Module } from '@nestjs/common';
import { LANGUAGE } from 'formula-development-service';
import { GERMAN } from './german';

@Module({ providers: [{ provide: LANGUAGE, useValue: GERMAN }] })
export class GermanModule {}
