import { Module } from '@nestjs/common';
import { WRITE_VALIDATOR } from 'formula-development-service';
import { namingRule } from './naming-rule';

@Module({ providers: [{ provide: WRITE_VALIDATOR, useValue: namingRule }] })
export class NamingRuleModule {}
