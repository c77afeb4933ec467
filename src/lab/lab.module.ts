import { Module, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Environment } from '../platform/config/environment';
import type { LabModuleName } from '../platform/config/lab-module-names';
import { AnalysisModule } from '../formulas/costing/analysis.module';
import { ColorsModule } from '../colors/own/colors.module';
import { ListsModule } from '../formulas/lists/lists.module';
import { NamesModule } from '../ingredients/names/names.module';
import { FilesModule } from '../file-routes/files.module';
import { RawMaterialsModule } from '../ingredients/raw-materials/raw-materials.module';
import { ScreeningModule } from '../regulations/screening.module';
import { ReplacementModule } from '../formulas/replacement/replacement.module';
import { PeopleModule } from '../users/people/people.module';
import { TrashModule } from '../formulas/trash/trash.module';
import { VersionsModule } from '../formulas/versions/versions.module';

/** Modules by the names in `LAB_MODULES`. */
const MODULES: Readonly<Record<LabModuleName, Type>> = {
  versions: VersionsModule,
  analysis: AnalysisModule,
  'raw-materials': RawMaterialsModule,
  names: NamesModule,
  colors: ColorsModule,
  screening: ScreeningModule,
  lists: ListsModule,
  replacement: ReplacementModule,
  people: PeopleModule,
  trash: TrashModule,
  files: FilesModule,
};

/** The modules of the laboratory that have routes. */
export const LAB_MODULES: readonly Type[] = Object.values(MODULES);

/** Features for formulators beyond the contract: all modules, or those in the setting `LAB_MODULES`. */
@Module({ imports: Object.values(MODULES) })
export class LabModule {
  /**
   * Removes the controllers of disabled modules. The settings are known only while the modules are created; Nest
   * registers routes after that.
   */
  constructor(modules: ModulesContainer, environment: Environment) {
    const leftOut = Object.entries(MODULES)
      .filter(([name]) => !environment.labModules.includes(name as LabModuleName))
      .map(([, module]) => module);
    for (const { metatype, controllers } of modules.values()) {
      if (leftOut.includes(metatype)) controllers.clear();
    }
  }
}
