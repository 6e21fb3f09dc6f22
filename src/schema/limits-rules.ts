import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { PutRules, RuleSet } from '../domains/limits/index.js';
import { PageInfo } from './relay.js';
import { DateTime } from './scalars.js';
import { UserError } from './user-error.js';

@ObjectType({ simpleResolvers: true })
export class RateLimitRuleSet implements RuleSet {
  @Field()
  domain: string;
  @Field()
  version: string;
  @Field({ description: 'A file, an address, or who put it.' })
  source: string;
  @Field()
  document: string;
  @Field(() => DateTime)
  loadedAt: Date;
  @Field(() => String, { nullable: true, description: 'Why the newest document is not in force.' })
  lastError: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A document that was put through the API.' })
export class RateLimitRulesPut implements Omit<PutRules, 'sequence'> {
  @Field()
  version: string;
  @Field()
  document: string;
  @Field(() => ID)
  putBy: string;
  @Field(() => DateTime)
  putAt: Date;
  @Field()
  correlationId: string;
}

@ObjectType({ simpleResolvers: true })
export class RateLimitRulesPutEdge {
  @Field()
  cursor: string;
  @Field(() => RateLimitRulesPut)
  node: RateLimitRulesPut;
}

@ObjectType({ simpleResolvers: true })
export class RateLimitRulesPutConnection {
  @Field(() => [RateLimitRulesPutEdge])
  edges: readonly RateLimitRulesPutEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@InputType()
export class PutRateLimitRulesInput {
  @Field({ description: 'YAML or JSON, as docs/limits.md has it.' })
  document: string;
  @Field({ defaultValue: false, description: 'Only says what is wrong with the document.' })
  dryRun: boolean;
}

@ObjectType({ simpleResolvers: true })
export class PutRateLimitRulesPayload {
  @Field(() => RateLimitRuleSet, { nullable: true })
  ruleSet: RateLimitRuleSet | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class ReloadRateLimitRulesPayload {
  @Field(() => RateLimitRuleSet, { nullable: true })
  ruleSet: RateLimitRuleSet | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
