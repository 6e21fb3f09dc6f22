import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { PutRules, RuleSet } from '../domains/limits/index.js';
import { connectionOf } from './connections.js';
import { Payload, payloadOf } from './payload.js';
import { DateTime } from './scalars.js';

@ObjectType({ simpleResolvers: true, description: 'The rules that decide how many requests are admitted.' })
export class RateLimitRuleSet implements RuleSet {
  @Field(() => ID)
  id: string;
  @Field({ description: 'The name that the document gives its rules.' })
  domain: string;
  @Field({ description: 'Which document is in force: other text, other version.' })
  version: string;
  @Field({ description: 'Where the document comes from: a file, a URL, or the user who put it.' })
  source: string;
  @Field({ description: 'The document itself, YAML or JSON.' })
  document: string;
  @Field(() => DateTime, { description: 'When this process put it in force.' })
  loadedAt: Date;
  @Field(() => String, {
    nullable: true,
    description: 'Why a newer document is not in force. Null where there is none.',
  })
  lastError: string | null;
  @Field(() => [String], {
    description:
      'The rules that never hold, each with its line, its path and why: their endpoint does not exist. One with `fail: closed` is no warning: its document is refused.',
  })
  warnings: readonly string[];
}

@ObjectType({ simpleResolvers: true, description: 'A document that was put through the API.' })
export class RateLimitRulesPut implements Omit<PutRules, 'sequence'> {
  @Field(() => ID)
  id: string;
  @Field({ description: 'Which document it is: other text, other version.' })
  version: string;
  @Field({ description: 'The document itself, YAML or JSON.' })
  document: string;
  @Field(() => ID, { description: 'The raw id of the user who put it.' })
  putBy: string;
  @Field(() => DateTime, { description: 'When.' })
  putAt: Date;
  @Field({ description: 'The id of the request that put it, as logs have it.' })
  correlationId: string;
}

export const RateLimitRulesPutConnection = connectionOf(
  'RateLimitRulesPut',
  RateLimitRulesPut,
  'A page of documents, newest first. There is no `totalCount`.',
);

@InputType()
export class PutRateLimitRulesInput {
  @Field({ description: 'The new rules, YAML or JSON as docs/limits.md describes them.' })
  document: string;
  @Field({ defaultValue: false, description: 'True: only checks the document, and changes nothing.' })
  dryRun: boolean;
  @Field(() => String, {
    nullable: true,
    description:
      'The version that must be in force: that of the rules which the document was made from. Where another one is, the document is refused with VERSION_CONFLICT, unless it is in force itself. Absent: any.',
  })
  expectedVersion?: string | null;
}

/** `topCallers` stands in the resolver: rehearsed only where it is selected. */
@ObjectType({ simpleResolvers: true })
export class PutRateLimitRulesPayload extends Payload {
  @Field(() => RateLimitRuleSet, { nullable: true })
  ruleSet: RuleSet | null;
  /** The document of a dry run that found no fault. */
  readonly rehearsed: string | null;
}

export const ReloadRateLimitRulesPayload = payloadOf('ReloadRateLimitRules', { ruleSet: RateLimitRuleSet });
