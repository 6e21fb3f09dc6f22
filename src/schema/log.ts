import { ArgsType, Field, Float, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { RecordedEvent } from '../platform/event-log/index.js';
import { type ProjectorOverview, projectorStates } from '../platform/projector/overview.js';
import { PageInfo, PagingArgs } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';
import { UserError } from './user-error.js';

const ProjectorState = Object.fromEntries(projectorStates.map((state) => [state, state]));
registerEnumType(ProjectorState, {
  name: 'ProjectorState',
  description: 'STALLED: an event cannot be applied. CATCHING_UP: more than 1 s behind.',
});

@ObjectType({ simpleResolvers: true })
export class StoredEvent {
  @Field({ description: '1, 2, 3 … without gaps, in commit order.' })
  globalPosition: string;
  @Field()
  streamId: string;
  @Field(() => Int)
  streamPosition: number;
  @Field()
  eventType: string;
  @Field(() => JSONObject, { description: 'In the newest schema version.' })
  data: RecordedEvent['data'];
  @Field(() => JSONObject, { description: 'correlationId, causationId and userId.' })
  metadata: RecordedEvent['metadata'];
  @Field(() => DateTime)
  createdAt: Date;
}

export const toStoredEvent = ({ type, globalPosition, ...event }: RecordedEvent): StoredEvent => ({
  ...event,
  eventType: type,
  globalPosition: String(globalPosition),
});

@ObjectType({ simpleResolvers: true })
export class EventEdge {
  @Field()
  cursor: string;
  @Field(() => StoredEvent)
  node: StoredEvent;
}

@ObjectType({ simpleResolvers: true })
export class EventConnection {
  @Field(() => [EventEdge])
  edges: readonly EventEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ArgsType()
export class EventsArgs extends PagingArgs {
  @Field(() => String, { nullable: true, description: 'The first position, itself included.' })
  fromPosition?: string | null;
  @Field(() => String, { nullable: true })
  streamId?: string | null;
  @Field(() => String, { nullable: true, description: 'All that followed from one request.' })
  correlationId?: string | null;
}

@ObjectType({ simpleResolvers: true })
export class Projector {
  @Field()
  name: string;
  @Field(() => ProjectorState)
  state: ProjectorOverview['state'];
  @Field()
  lastPosition: string;
  @Field()
  headPosition: string;
  @Field(() => Int)
  lagEvents: number;
  @Field(() => Float, { description: 'The age of the oldest event not applied yet.' })
  lagMs: number;
  @Field(() => String, {
    nullable: true,
    description: 'The event that stalls it, or why its last rebuild came to nothing.',
  })
  lastError: string | null;
  @Field(() => DateTime)
  updatedAt: Date;
  @Field(() => DateTime, { nullable: true, description: 'When its last rebuild took over.' })
  rebuiltAt: Date | null;
}

export const toProjector = ({ lastPosition, headPosition, ...projector }: ProjectorOverview): Projector => ({
  ...projector,
  lastPosition: String(lastPosition),
  headPosition: String(headPosition),
});

@InputType()
export class RebuildProjectorInput {
  @Field()
  name: string;
}

@ObjectType({ simpleResolvers: true })
export class RebuildProjectorPayload {
  @Field(() => Projector, { nullable: true })
  projector: Projector | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
