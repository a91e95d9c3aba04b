import argparse

parser = argparse.ArgumentParser(prog="tool", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
parser.add_argument("--port", type=int, default=8080, help="the port")
parser.add_argument("--name", default="x", help="the name")
parser.add_argument("--a-very-long-name-of-a-flag", metavar="VALUE", help="below")

if __name__ == "__main__":
    parser.parse_args()
