import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigurationChanges, RuntimeConfiguration } from './runtime-configuration';
import { ConfigurationPolling } from './configuration-polling';
import { RuntimeConfigController } from './runtime-config.controller';
import { RuntimeSettingEntity } from './runtime-setting.entity';
import { RuntimeSettingsRepository } from './runtime-settings.repository';

@Module({
  imports: [TypeOrmModule.forFeature([RuntimeSettingEntity])],
  controllers: [RuntimeConfigController],
  providers: [RuntimeConfiguration, RuntimeSettingsRepository, ConfigurationChanges, ConfigurationPolling],
  exports: [RuntimeConfiguration, ConfigurationChanges],
})
export class RuntimeConfigModule {}
