import { graphql } from '../common/graphql.js';

graphql(/* GraphQL */ `
  fragment ReaderPerson on User {
    id
    userId
    displayName
    avatarUrl
    isVerified
    viewerFollows
    viewerMutes
    viewerBlocks
  }
`);

graphql(/* GraphQL */ `
  fragment ReaderMedia on Media {
    id
    mediaId
    kind
    state
    failureReason
    url
    renditions {
      name
      width
      height
      url
    }
  }
`);

graphql(/* GraphQL */ `
  fragment ReaderPostBody on Post {
    id
    postId
    content
    createdAt
    editedAt
    visibility
    author {
      ...ReaderPerson
    }
    linkPreview {
      url
      title
    }
  }
`);

graphql(/* GraphQL */ `
  fragment ReaderPost on Post {
    ...ReaderPostBody
    media {
      ...ReaderMedia
    }
    commentCount
    shareCount
    likeCount
    viewerHasLiked
    viewerReaction
    reactionCounts {
      kind
      count
    }
    sharedPost {
      ...ReaderPostBody
      media {
        id
        mediaId
        kind
        state
        failureReason
        url
      }
    }
  }
`);

graphql(/* GraphQL */ `
  fragment ReaderComment on Comment {
    id
    commentId
    postId
    content
    createdAt
    replyToId
    author {
      ...ReaderPerson
    }
  }
`);
