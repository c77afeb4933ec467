import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RequestClasses } from '../../platform/validation/request-instance';
import {
  configurationOf,
  UpdateConfigurationDto,
} from '../../platform/runtime-config/dto/update-configuration.dto';
import { ConfigurableProviders } from '../providers/configurable-providers';
import { TestConfigurationDto, testOf } from './dto/ai-requests.dto';

/** Adds the providers of extensions to the request bodies of the configuration routes. */
@Injectable()
export class ProviderFields implements OnModuleInit {
  constructor(
    private readonly providers: ConfigurableProviders,
    private readonly classes: RequestClasses,
  ) {}

  onModuleInit(): void {
    const names = this.providers.all().map(({ name }) => name);
    if (names.length === 0) return;
    this.classes.replace(UpdateConfigurationDto, configurationOf(names));
    this.classes.replace(TestConfigurationDto, testOf(names));
  }
}
