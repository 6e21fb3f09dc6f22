import '../fragments.js';
import { graphql } from '../../common/graphql.js';

export const Person = graphql(/* GraphQL */ `
  query ReaderPersonPage($userId: ID!) {
    user(userId: $userId) {
      ...ReaderPerson
      followsViewer
      isCelebrity
      followerCount
      followingCount
    }
  }
`);

export const PersonPosts = graphql(/* GraphQL */ `
  query ReaderPersonPosts($userId: ID!, $after: String) {
    user(userId: $userId) {
      id
      posts(first: 12, after: $after) {
        edges {
          cursor
          node {
            ...ReaderPost
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const Followers = graphql(/* GraphQL */ `
  query ReaderFollowers($userId: ID!, $after: String) {
    user(userId: $userId) {
      id
      followers(first: 30, after: $after) {
        edges {
          cursor
          node {
            ...ReaderPerson
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const Following = graphql(/* GraphQL */ `
  query ReaderFollowing($userId: ID!, $after: String) {
    user(userId: $userId) {
      id
      following(first: 30, after: $after) {
        edges {
          cursor
          node {
            ...ReaderPerson
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);
