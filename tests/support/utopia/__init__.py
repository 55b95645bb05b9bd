"""A concept of somebody's own, all of it but the verifier's file: what each player could get at most, in any end."""
