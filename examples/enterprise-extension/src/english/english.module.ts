import { Module } from '@nestjs/common';
import { LANGUAGE } from 'formula-development-service';
import { ENGLISH } from './english';

@Module({ providers: [{ provide: LANGUAGE, useValue: ENGLISH }] })
export class EnglishModule {}
