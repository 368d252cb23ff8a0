import { gql, type TypedDocumentNode } from '@apollo/client'

interface Friend {
  id: string
  name: string | null
}

export interface HeroData {
  hero: { name: string | null; heroFriends: Friend[] } | null
}

const HeroQuery: TypedDocumentNode<HeroData> = gql`
  query HeroQuery {
    hero {
      name
      heroFriends {
        id
        name
      }
    }
  }
`

const FailingQuery: TypedDocumentNode<HeroData> = gql`
  # Apollo sends neither these comments nor this layout: it adds __typename and prints the query anew.
  query FailingQuery {
    hero {
      name
      heroFriends {
        id
        name # one of these cannot be fetched
      }
    }
  }
`

export const heroQueries = { HeroQuery, FailingQuery }

export type HeroQueryName = keyof typeof heroQueries
